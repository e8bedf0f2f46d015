"""Many tables: what a table tells a broker, so that a club, a cafe or a smart home hears of it."""

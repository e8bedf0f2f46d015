"""The hall's page: all tables of a broker on one screen."""

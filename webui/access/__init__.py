"""Who may do what: roles, codes, pairing, and the gate that every request passes."""

"""Who may do what: roles, codes, phones, and the gate that every request passes."""

"""How pages get onto the network: the server, https and its certificates."""

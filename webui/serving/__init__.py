"""How pages get onto the network: the server, https and its certificates."""

from .compression import compress
from .https import Https
from .own_addresses import OwnAddress, own_address, own_addresses, phone_addresses
from .server import EVERYWHERE, TABLE_THREADS, Server, serve
from .system_network import take_port_over

__all__ = [
    "EVERYWHERE",
    "TABLE_THREADS",
    "Https",
    "OwnAddress",
    "Server",
    "compress",
    "own_address",
    "own_addresses",
    "phone_addresses",
    "serve",
    "take_port_over",
]

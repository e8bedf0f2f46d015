"""The certificate of a path: that it is one, and as long as it says."""

from railspotter.scoring.paths.longest_path import LongestPath
from railspotter.scoring.paths.network import Network


def check_path(path: LongestPath, network: Network) -> None:
    """Each route follows the one before, none is used twice, and lengths add up."""
    edges = {edge[2]: edge for edge in network.edges(keys=True)}
    assert len(set(path.routes)) == len(path.routes)
    here: set[str] = set()
    for i, name in enumerate(path.routes):
        ends = set(edges[name][:2])
        # Where the first route is left is not known until the second one is seen.
        here = ends if i == 0 else {end for start in here & ends for end in ends - {start}}
        assert here, f"{name!r} does not follow {path.routes[i - 1]!r}"
    assert sum(network.edges[edges[name]]["length"] for name in path.routes) == path.at_least

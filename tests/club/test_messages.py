"""Topics that are none."""

import pytest
from railspotter.club.messages import table_of


@pytest.mark.parametrize(
    "topic",
    [
        "club/v1/tables/Table 3/report",
        "club/v1/tables/table-3/report/more",
        "club/v1/tables/table-3/secrets",
        "club/v1/tables/../report",
        "club/v1/tables//report",
        "other/v1/tables/table-3/report",
    ],
)
def test_other_topics_are_nobodys(topic: str) -> None:
    assert table_of("club", topic) is None

"""Home Assistant discovery: a table as one device with sensors and buttons.

Device discovery, home-assistant.io/integrations/mqtt (since 2024.11): the retained message under
PREFIX/device/ID/config has the topics and the templates to read them.
"""

import json
import re
from collections.abc import Collection, Sequence
from typing import Any

from .messages import Report, topic

DISCOVERY = "homeassistant"  # Home Assistant's default prefix
COLOURS = (
    "black", "blue", "green", "grey", "orange", "pink", "purple", "red", "white", "yellow",
)  # fmt: skip
UNSAFE = re.compile("[^a-z0-9-]")  # in the ids of sensors
PRESSED = {"pause": "Pause", "resume": "Resume", "look_again": "Look again"}


def discovery_topic(table: str, discovery: str = DISCOVERY) -> str:
    """Return the discovery topic of a table.

    >>> discovery_topic("table-3")
    'homeassistant/device/railspotter-table-3/config'
    """
    return f"{discovery}/device/railspotter-{table}/config"


def discovery_of(
    report: Report, prefix: str, commands: Sequence[str], own_colours: Collection[str] = ()
) -> dict[str, Any]:
    """Build the discovery message; it depends on the players and the allowed commands.

    `own_colours` are those of earlier games, no box's, whose sensors are to be removed.
    """
    colours = dict.fromkeys((*COLOURS, *own_colours, *(one.colour for one in report.players)))
    here = f"railspotter-{report.table}"
    told = topic(prefix, report.table, "report")
    sensors = {
        "leader": _sensor("Leader", _names("leaders"), "mdi:crown"),
        "phase": _sensor("Game", "{{ value_json.phase }}", "mdi:train"),
        "turn": _sensor("Probable turn", _names("turn"), "mdi:account-clock"),
        "last_claim": _sensor(
            "Last claim",
            "{{ (value_json.last_claim.colour ~ ': ' ~ value_json.last_claim.what)"
            " if value_json.last_claim else '' }}",
            "mdi:map-marker-path",
        ),
        "help": {
            "p": "binary_sensor",
            "name": "Needs somebody",
            "device_class": "problem",
            "value_template": "{{ 'ON' if value_json.help else 'OFF' }}",
            "json_attributes_topic": told,
            "json_attributes_template": "{{ {'why': value_json.help} | tojson }}",
        },
        **{f"points_{UNSAFE.sub('_', colour)}": _points(report, colour) for colour in colours},
        **{command: _button(report.table, prefix, command, commands) for command in PRESSED},
    }
    for name, sensor in sensors.items():
        if len(sensor) > 1:
            sensor["unique_id"] = f"{here}-{name}"
    return {
        "dev": {"ids": [here], "name": report.name, "mdl": report.title},
        "o": {"name": "Railspotter"},
        "availability": [
            {
                "topic": topic(prefix, report.table, "status"),
                "value_template": "{{ value_json.status }}",
            }
        ],
        "state_topic": told,
        "qos": 1,
        "cmps": sensors,
    }


def _sensor(name: str, template: str, icon: str) -> dict[str, Any]:
    return {"p": "sensor", "name": name, "icon": icon, "value_template": template}


def _names(field: str) -> str:
    """Return a template for the names of the players in a report's field of seats."""
    seats = f"value_json.{field}" if field == "leaders" else f"[value_json.{field}]"
    return (
        "{{ value_json.players | selectattr('seat', 'in', " + seats + ")"
        " | map(attribute='name') | join(', ') }}"
    )


def _points(report: Report, colour: str) -> dict[str, Any]:
    """Return the sensor of a colour's points; one without a player is removed."""
    player = next((player for player in report.players if player.colour == colour), None)
    if player is None:
        return {"p": "sensor"}
    return {
        "p": "sensor",
        "name": f"{player.name}'s points",
        "icon": "mdi:counter",
        "unit_of_measurement": "points",
        "state_class": "measurement",
        "value_template": "{{ value_json.players | selectattr('colour', 'eq', "
        + json.dumps(colour)
        + ") | map(attribute='points') | first | default(none) }}",
    }


def _button(table: str, prefix: str, command: str, commands: Sequence[str]) -> dict[str, Any]:
    if command not in commands:
        return {"p": "button"}
    return {
        "p": "button",
        "name": PRESSED[command],
        "command_topic": topic(prefix, table, "commands"),
        "payload_press": f'{{"command":"{command}"}}',
    }

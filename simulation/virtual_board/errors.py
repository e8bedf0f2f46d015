"""What the virtual board refuses."""


class SceneError(ValueError):
    """A scene that cannot be rendered; the text says what is wrong and what is allowed."""


def refuse_outside(owner: object, limits: dict[str, tuple[float, float]]) -> None:
    """Refuse a value whose fields are outside their limits."""
    for name, (low, high) in limits.items():
        value = getattr(owner, name)
        if not low <= value <= high:
            raise SceneError(f"{name} is {value!r}, allowed are {low} to {high}")

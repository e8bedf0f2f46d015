"""The virtual board's error."""


class SceneError(ValueError):
    """A scene that cannot be rendered; the text says what is wrong and what is allowed."""

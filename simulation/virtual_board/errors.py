"""What the virtual board refuses."""


class SceneError(ValueError):
    """A scene that cannot be rendered; the text says what is wrong and what is allowed."""

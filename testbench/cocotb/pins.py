"""Pins of a block by their names, over the packed ports `pins_i` and `pins_o`."""


class Pins:
    """A bundle of pins: `Pins(BUNDLES, "botf_pkg.In")`."""

    def __init__(self, bundles, name):
        self.name = name
        self.width, self.fields = bundles[name]

    def pack(self, **values):
        """The port's value with these fields; all others are 0. A field `outer.inner` is written `outer__inner`."""
        word = 0
        for name, value in values.items():
            field = name.replace("__", ".")
            if field not in self.fields:
                raise KeyError(f"{self.name} has no field {field}; it has {', '.join(self.fields)}")
            low, width = self.fields[field]
            if not 0 <= value < 1 << width:
                raise ValueError(f"{self.name}.{field} has {width} bits, too few for {value:#x}")
            word |= int(value) << low
        return word

    def unpack(self, word):
        """All fields of the port's value."""
        return {name: int(word) >> low & (1 << width) - 1 for name, (low, width) in self.fields.items()}

// What Node alone does not strip: an enum, and a property made by a parameter.
enum Colour { red = 'r', green = 'g' }

class Paint {
  constructor (readonly colour: Colour) {}
}

export function computation () {
  return new Paint(Colour.green).colour
}

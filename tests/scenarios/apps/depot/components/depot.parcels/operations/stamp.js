export function assignment (input, changeset) {
  changeset.label = input.label + '!'

  return 'stamped'
}

export function effect () {
  for (;;);
}

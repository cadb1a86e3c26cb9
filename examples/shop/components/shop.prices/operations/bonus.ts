interface Context {
  configuration: { bonusPercent: number }
}

export function computation ({ cents }: { cents: number }, { configuration }: Context) {
  return { cents: Math.floor(cents * configuration.bonusPercent / 100) }
}

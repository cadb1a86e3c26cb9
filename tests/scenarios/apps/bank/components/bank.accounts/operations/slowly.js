const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

export async function transition ({ amount }, entry) {
  await pause(150)
  entry.balance += amount

  return { balance: entry.balance }
}

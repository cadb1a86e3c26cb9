export async function computation (input, { local }) {
  return await local.judge({ input })
}

export const unmanaged = async (input, client) => {
  const { n } = await client.get("SELECT count(*) AS n FROM objects WHERE json_extract(properties, '$.weight') > ?", [input])

  return n
}

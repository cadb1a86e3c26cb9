export const unmanaged = async (input, client) => client.query("DELETE FROM objects", [])

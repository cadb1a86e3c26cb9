export const effect = (input, { remote }) => remote.desk.provider.begin({ input })

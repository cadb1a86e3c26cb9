export const request = (line) => ({ query: { criteria: `key=='${line.key}'` }, entity: line })

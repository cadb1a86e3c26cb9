export function computation (_, { name, env, region, instance, id, now, random }) {
  return { name, env, region, instance, id: id(), ids: id() !== id(), now: now(), chance: random() < 1 }
}

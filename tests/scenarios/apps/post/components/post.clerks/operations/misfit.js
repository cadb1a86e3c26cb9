export function computation () {}

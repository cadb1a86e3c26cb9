import type { AmendInput, Changeset } from '../types/index.d.ts'

export function assignment ({ total }: AmendInput, changeset: Changeset) {
  changeset.total = total
}

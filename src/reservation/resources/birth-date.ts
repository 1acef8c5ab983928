import type { Transaction } from '../../resource/command.ts'
import { invalidValue } from '../../resource/problem.ts'
import { momentIn } from './house.ts'

/** Throws 422 `validation-failed` for a day of birth before 1900 or in the future, by the day of the property. */
export function expectBirthDate(tx: Transaction, birthDate: string): void {
  const { today } = momentIn(tx)
  if (birthDate >= '1900-01-01' && birthDate <= today) return
  throw invalidValue('/birthDate', 'birthDate must be a day from 1900-01-01 to today.', {
    expected: `1900-01-01..${today}`,
  })
}

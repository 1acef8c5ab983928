import type { rulesIn } from '../../registration/settings.ts'
import type { Answers, Question } from './questions.ts'

/** The registration of one guest: what is asked, and what was answered. */
export interface Form {
  profileId: string
  /** As it is shown to bystanders. */
  name: string
  questions: readonly Question[]
  answers: Answers
}

/** The present question. */
export interface State {
  forms: readonly Form[]
  /** Its place among the questions of all guests. */
  at: number
  /** Why the box has refused its answer. */
  problem: string | null
  /** The present house rules, where they are the question. */
  rules: ReturnType<typeof rulesIn>
}

/** The questions of all guests, in the order of the screens. `of` is the place of the guest. */
export const allQuestions = (forms: readonly Form[]) =>
  forms.flatMap(({ questions }, of) => questions.map((question) => ({ of, question })))

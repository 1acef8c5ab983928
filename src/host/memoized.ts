/**
 * Memoizes `work`, which must always return the same answer for the same argument, and never undefined. It
 * keeps at most `most` answers; then it forgets all of them. An error is not kept.
 */
export function memoized<Question, Answer>(
  work: (question: Question) => Answer,
  most = 4_000,
): (question: Question) => Answer {
  const answers = new Map<Question, Answer>()
  return (question) => {
    const before = answers.get(question)
    if (before !== undefined) return before
    const answer = work(question)
    if (answers.size >= most) answers.clear()
    answers.set(question, answer)
    return answer
  }
}

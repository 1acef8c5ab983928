/**
 * The same work, done once for a question that is asked again. It must always have the same answer, and throws for itself. So
 * many answers are kept; then all of them are forgotten.
 */
export function remembered<Question, Answer>(
  most: number,
  work: (question: Question) => Answer,
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

/** A listener that submits a form without a new page. */
export function prevented(submit: () => unknown): (event: Event) => void {
  return (event) => {
    event.preventDefault()
    submit()
  }
}

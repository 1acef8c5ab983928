import { type ComponentChildren, h, type JSX } from 'preact'

/** The result of a component. */
export type View = JSX.Element

type Names = keyof JSX.IntrinsicElements
type Elements = {
  [Name in Names]: (attributes: JSX.IntrinsicElements[Name] | null, ...children: ComponentChildren[]) => View
}

/**
 * A function for each HTML and SVG element: `el.button({ type: 'button' }, 'Save')`. Names and attributes are checked by the
 * compiler.
 *
 * A text has an element of its own, which is replaced when the text changes. A browser that translates the page takes the text node
 * out of the page, and a change of that node would never be seen: a countdown would stand still.
 */
export const el = new Proxy({} as Elements, {
  get:
    (_, name: string) =>
    (attributes: object | null, ...children: ComponentChildren[]) =>
      h(
        name as 'div',
        attributes as object,
        ...(textOnly.includes(name) ? children : children.map(replaceable)),
      ),
})

/** Elements that contain text only. */
const textOnly = ['option', 'textarea', 'title', 'text']

/** A text of signs alone, such as a dash, is not translated. */
function replaceable(child: ComponentChildren): ComponentChildren {
  if (Array.isArray(child)) return child.map(replaceable)
  const isText = typeof child === 'string' || typeof child === 'number'
  return isText && /[\p{L}\p{N}]/u.test(String(child)) ? h('span', { key: child }, child) : child
}

/** Joins class names; false and undefined are left out. */
export function classes(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}

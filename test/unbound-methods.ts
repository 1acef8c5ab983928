import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SyntaxKind } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

/** A use of a method that is no call: without its object, the method has no `this`. */
const planted = `export class Planted {
  #count = 0
  add(): number {
    return ++this.#next()
  }
  #next(): { valueOf(): number } {
    return [this.#next, ++this.#count][1]!
  }
}
export const passed = async (one: Planted, all: Map<string, Planted>, later: Promise<Planted>) => {
  const { add } = one
  const { add: other } = await later
  one.add()
  return { add, other, more: [...all.values()][0]?.add, run: () => one.add() }
}
export const given = ({ add }: Planted) => add
`

/** Without strictness, what may be absent has the type of what is there. The types of packages are not needed, and take long. */
const compilerOptions = {
  ...{
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext'],
    allowImportingTsExtensions: true,
    noEmit: true,
  },
  ...{ strict: false, types: [], noResolve: true },
}

/**
 * Returns where files use a method of a class without a call, as `file:line`, and the lines of a planted file in which the same
 * search finds such uses. The search reads texts, and asks the compiler for the types of what may be one.
 */
export function unboundMethods(root: string, files: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-methods-'))
  const plantedFile = join(folder, 'planted.ts')
  const config = join(folder, 'tsconfig.json')
  const paths = files.map((file) => join(root, file))
  writeFileSync(plantedFile, planted)
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [plantedFile, ...paths] }))
  const texts = new Map([plantedFile, ...paths].map((path) => [path, readFileSync(path, 'utf8')]))
  const pattern = usesOf(new Set([...texts.values()].flatMap(methodsIn)))
  const api = new API({ cwd: root })
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)!
    const linesIn = (path: string): number[] => {
      const text = texts.get(path)!
      const places = [...text.matchAll(pattern)].map(({ 0: found, index }) => index + found.search(/#?\w+$/))
      if (places.length === 0) return []
      const types = project.checker.getTypeAtPosition(path, places)
      const ofFile = methodsIn(text)
      const unbound = places.filter((place, at) => {
        // The compiler has no type for a private name.
        if (text[place] === '#') return ofFile.includes(text.slice(place).match(/^#\w+/)![0])
        const declared = types[at]?.getSymbol()?.valueDeclaration
        if (declared?.kind !== SyntaxKind.MethodDeclaration) return false
        return declared.resolve(project)?.parent.kind === SyntaxKind.ClassDeclaration
      })
      return unbound.map((place) => text.slice(0, place).split('\n').length)
    }
    const found = files.flatMap((file) => linesIn(join(root, file)).map((line) => `${file}:${line}`))
    return { found, inPlanted: linesIn(plantedFile) }
  } finally {
    api.close()
    rmSync(folder, { recursive: true })
  }
}

/** The names of the methods of classes in a text, as the formatter writes them. */
function methodsIn(text: string): string[] {
  if (!/^(export )?(abstract )?class /m.test(text)) return []
  const names = [...text.matchAll(/^ {2}(?:async |\*)*(#?\w+)(?:<.*>)?\((?:.*\{|)$/gm)].map(
    ([, name = '']) => name,
  )
  return names.filter((name) => name !== 'constructor')
}

/** What may be a use without a call: a member that is not called, and a name in a pattern that takes an object apart. */
function usesOf(methods: ReadonlySet<string>): RegExp {
  const names = `(?:${[...methods].join('|')})\\b`
  const member = `\\.${names}(?!\\s*(?:[(<\`]|\\?\\.\\())`
  const part = `(?<=[{,]\\s*)${names}(?:: \\w+\\b)?(?=[^;(){}]*\\}(?: =|: \\w))`
  return new RegExp(`${member}|${part}`, 'g')
}

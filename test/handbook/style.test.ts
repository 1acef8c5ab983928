import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Command } from 'commander'
import { lexer, type Token, walkTokens } from 'marked'
import { commandLine } from '../../src/cli/run.ts'
import { readers, readPage } from '../../src/handbook/pages.ts'
import { render } from '../../src/handbook/render.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { program } from '../program.ts'
import { changelog, handbook, type ReaderDocument, readme } from './documents.ts'
import { stepsOf } from './steps.ts'

const root = join(import.meta.dirname, '../..')
const documents = [readme, ...handbook]
const none: string[] = []
const bytes = (text: string) => Buffer.byteLength(text)

/** All tokens of a document, those in lists and tables too. */
function tokensOf({ markdown }: ReaderDocument): Token[] {
  const found: Token[] = []
  walkTokens(lexer(markdown), (token) => void found.push(token))
  return found
}

/** What a document names between backticks. */
const namedIn = (document: ReaderDocument) =>
  tokensOf(document).flatMap((token) => (token.type === 'codespan' ? [token.text as string] : []))

const wrongOf = (wrong: (document: ReaderDocument) => string[]) =>
  documents.flatMap((document) => wrong(document).map((each) => `${document.path}: ${each}`))

describe('the handbook', () => {
  it('begins with a README of less than 6 kB', () => {
    const length = bytes(readme.markdown)
    assert.ok(length < 6_000, `README.md has ${length} bytes`)
  })

  it('has pages of at most 12 kB', () => {
    const long = handbook.filter(({ markdown }) => bytes(markdown) > 12_000)
    assert.deepEqual(
      long.map(({ path, markdown }) => `${path} has ${bytes(markdown)} bytes`),
      none,
    )
  })

  it('names the one reader of each page in its first line, and each of its readers has a page', async () => {
    const pages = await Promise.all(handbook.map(({ name }) => readPage(name)))
    for (const { reader } of pages) assert.ok(readers.includes(reader))
    const named = handbook.map(({ path, markdown }) => ({
      path,
      count: markdown.match(/^For [\w ]+:/gm)?.length,
    }))
    assert.deepEqual(
      named.filter(({ count }) => count !== 1),
      none,
    )
  })

  it('is plain Markdown: no HTML, no indented commands, no dashes between half sentences', () => {
    const wrong = wrongOf((document) => {
      return tokensOf(document).flatMap((token) => {
        if (token.type === 'html') return [`HTML: ${token.raw}`]
        if (token.type === 'text' && /[\u2013\u2014]|\s--?\s/.test(token.raw)) return [`a dash: ${token.raw}`]
        return token.type === 'code' && token.codeBlockStyle === 'indented'
          ? [`not fenced: ${token.raw}`]
          : []
      })
    })
    assert.deepEqual(wrong, none)
  })
})

describe('the changelog', () => {
  it('has the standard headings, and every line of a version under one of them', () => {
    const { markdown } = changelog
    const headings = [...markdown.matchAll(/^##+ .*$/gm)].map(([heading]) => heading)
    const standard =
      /^## \[(?:Unreleased\]|\d[^\]]*\] - \d{4}-\d\d-\d\d)$|^### (?:Added|Changed|Deprecated|Removed|Fixed|Security)$/
    assert.deepEqual(
      headings.filter((heading) => !standard.test(heading)),
      none,
    )
    const versions = markdown.split(/^## /m).slice(1)
    const loose = versions.flatMap((version) => version.split(/^### /m)[0]!.match(/^- .*/gm) ?? [])
    assert.deepEqual(loose, none)
  })
})

describe('what README and handbook name', () => {
  let house: TestAppliance
  let paths: Record<string, object>
  before(async () => {
    house = await startAppliance({ sample: false })
    paths = (await house.ask('GET', '/openapi.json', { token: null })).body.paths
  })
  after(() => house.stop())

  /** Whether the appliance answers there. `{id}`, `:id` and `...` stand for a part of a path. */
  function isServed(method: string, path: string): boolean {
    const [asked = ''] = path.split(/[?#]/)
    const parts = asked.replace(/\/$/, '').split('/')
    return Object.entries(paths).some(([template, operations]) => {
      const own = template.replace(/\/$/, '').split('/')
      const from =
        parts[0] === '...' || parts[0] === '\u2026' ? own.slice(own.length - parts.length + 1) : own
      const rest = from === own ? parts : parts.slice(1)
      const fits = rest.length === from.length && rest.every((part, at) => partFits(part, from[at]!))
      return fits && (method === '' || method.toLowerCase() in operations)
    })
  }

  const partFits = (part: string, own: string) =>
    part === own || (/^\{.*\}$/.test(own) && part !== '') || part === '...' || /\.\.\./.test(part)

  it('links only what is there: pages, their headings, files, and paths of the appliance', () => {
    const anchors = new Map(
      handbook.map(({ name, markdown }) => [
        name,
        [...render(markdown).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id),
      ]),
    )
    const wrong = wrongOf((document) =>
      tokensOf(document).flatMap((token) => {
        if (token.type !== 'link') return []
        const { href } = token as { href: string }
        if (/^(https:|mailto:)/.test(href)) return []
        const [target = '', anchor] = href.split('#')
        if (target.startsWith('/')) return isServed('GET', target) ? [] : [`nothing is served at ${href}`]
        const file = join(dirname(document.path), target)
        const page = target === '' ? document.name : /^src\/handbook\/([\w-]+)\.md$/.exec(file)?.[1]
        if (target !== '' && !existsSync(join(root, file))) return [`no file ${href}`]
        return anchor && page && !anchors.get(page)?.includes(anchor) ? [`no heading ${href}`] : []
      }),
    )
    assert.deepEqual(wrong, none)
  })

  it('asks only for operations there are', () => {
    const wrong = wrongOf((document) =>
      namedIn(document).filter((text) => {
        const [, method = '', path = ''] =
          /^(?:(GET|POST|PUT|PATCH|DELETE) )?((?:\/api|\.\.\.|\u2026)\/\S*)$/.exec(text) ?? []
        const isPrefix = /^\/api(?:\/v2|\/config\/v1)?\/?\*?$/.test(path)
        return path !== '' && !isPrefix && !isServed(method, path)
      }),
    )
    assert.deepEqual(wrong, none)
  })

  it('points to files of the repository that are there, or that it has saved', () => {
    const wrong = wrongOf((document) => {
      const own = stepsOf(document.markdown).flatMap((step) => (step.does === 'save' ? [step.path] : []))
      return namedIn(document).filter(
        (text) =>
          /^(?:src|drivers|test|image|systemd)\/[\w./-]*$/.test(text) &&
          !own.includes(text) &&
          !existsSync(join(root, text)),
      )
    })
    assert.deepEqual(wrong, none)
  })

  it('has every folder of src in the table of modules', async () => {
    const { markdown } = await readPage('modules')
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((each) =>
      each.isDirectory(),
    )
    const missing = folders.filter(({ name }) => !markdown.includes(`\`src/${name}/`))
    assert.deepEqual(
      missing.map(({ name }) => name),
      none,
    )
  })

  it('types only commands and options there are', () => {
    const wrong = wrongOf((document) => {
      const fenced = tokensOf(document).flatMap((token) =>
        token.type === 'code' && token.lang === 'sh' ? (token.text as string).split('\n') : [],
      )
      return [...namedIn(document), ...fenced].flatMap((text) => {
        const [, words] = /\bnightporter ((?:[a-z][\w-]*|-h|--help|--version)\b[^|&;#)]*)/.exec(text) ?? []
        return words === undefined || isCommand(words.trim().split(/\s+/)) ? [] : [text]
      })
    })
    assert.deepEqual(wrong, none)
  })
})

function isCommand(words: string[]): boolean {
  let command: Command = commandLine(program)
  const named = () => command.commands.find((each) => each.name() === words[0])
  for (let next = named(); next; next = named()) {
    command = next
    words.shift()
  }
  if (command.parent === null && !/^--?(help|version|h)$/.test(words[0] ?? '')) return false
  const options = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.split('=')[0]!)
  const isKnown = (option: string) => command.options.some(({ long }) => long === option)
  return options.every((option) => option === '--help' || isKnown(option) || isOfDefault(command, option))
}

/** `nightporter backup` is `nightporter backup now`. */
function isOfDefault(command: Command, option: string): boolean {
  return (
    command.commands.some((each) => each.options.some(({ long }) => long === option)) ||
    option === '--version'
  )
}

import { en, type SearchTexts } from './en.ts'
export const es: SearchTexts = en

import { en, type SearchTexts } from './en.ts'
export const de: SearchTexts = en

import type { RegistrationSetupTexts } from '../texts.ts'

export default {
  title: 'Enregistrement des clients',
  why: 'Là où la loi exige l’enregistrement des clients, choisissez ce que chacun indique avant l’arrivée en chambre. Sans rien, aucun client n’est enregistré.',
  fields: 'Chaque client indique',
  name: 'Nom',
  address: 'Adresse',
  rules: 'Accord avec le règlement intérieur',
  days: 'Jours de conservation des fiches après le départ',
  daysHint: 'Ensuite elles sont supprimées. La loi de votre pays en fixe la durée.',
  houseRules: (language) => `Règlement intérieur, ${language}`,
  houseRulesHint:
    'Les clients le lisent et l’acceptent dans leur langue, sinon dans la première qui a un texte. Après un changement, les clients suivants sont de nouveau interrogés.',
} satisfies RegistrationSetupTexts

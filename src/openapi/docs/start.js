SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#interfaces',
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  deepLinking: true,
  filter: true,
  // No validator on the internet.
  validatorUrl: null,
})

package rules

var knowledgeRules []func(*checker)

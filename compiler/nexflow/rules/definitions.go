package rules

var definitionRules []func(*checker)

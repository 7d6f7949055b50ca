package rules

var networkRules []func(*checker)

package rules

var workRules []func(*checker)

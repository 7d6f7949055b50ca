package rules

var gateRules []func(*checker)

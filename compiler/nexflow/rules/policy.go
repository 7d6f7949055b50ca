package rules

var policyRules []func(*checker)

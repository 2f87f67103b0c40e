// Package schemetest is the suite that any scheme has to pass. What a scheme has to do is what [runtime.Scheme] does.
//
// Reading order: suite.go, types.go, registers.go, answers.go.
package schemetest

// Breaks: As RFC 7396 has it, what is gone is null
// Caught by: TestBothAreSaved
// Message: Happened: sent were: PATCH status at "41" {"status":{"readyReplicas":2}}, then PATCH object at "45"
// {"metadata":{"labels":{"tier":"front"}}}
// Base: alt/plain

//go:build wrong

package both

import "reflect"

func walk(was, is map[string]any) map[string]any {
	patch := map[string]any{}
	for name, value := range is {
		a, isMap := was[name].(map[string]any)
		b, willBe := value.(map[string]any)
		if isMap && willBe {
			if below := walk(a, b); len(below) > 0 {
				patch[name] = below
			}
		} else if old, ok := was[name]; !ok || !reflect.DeepEqual(old, value) {
			patch[name] = value
		}
	}
	return patch
}

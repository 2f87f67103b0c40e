// Breaks: Fields of these names elsewhere are as all others.
// Caught by: TestWhatAPatchHolds
// Message: Happened: sent were: PATCH status at "41" {"status":{"resourceVersion":"5"}}, then PATCH object at "45"
// {"spec":{"resourceVersion":"2"}}
// Base: alt/plain

//go:build wrong

package both

import "reflect"

func walk(was, is map[string]any) map[string]any {
	patch := map[string]any{}
	for name := range was {
		if _, ok := is[name]; !ok {
			patch[name] = nil
		}
	}
	for name, value := range is {
		if name == "generation" || name == "managedFields" {
			continue // wrong: metadata has its own
		}
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

// Breaks: of an object there are only the fields that have changed.
// Caught by: TestBothAreSaved
// Message: Happened: sent were: PATCH status at "41" {"status":{"ready":3,"sold":2}}, then PATCH object at "45"
// {"spec":{"color":"red","size":"large"}}
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
		a, isMap := was[name].(map[string]any)
		b, willBe := value.(map[string]any)
		if isMap && willBe {
			if below := walk(a, b); len(below) > 0 {
				if patch[name] = below; name == "spec" || name == "status" {
					patch[name] = b // wrong: it is whole
				}
			}
		} else if old, ok := was[name]; !ok || !reflect.DeepEqual(old, value) {
			patch[name] = value
		}
	}
	return patch
}

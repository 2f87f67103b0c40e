// Misconception: a number of JSON is a float64.
// Caught by: TestWhatAPatchHolds
// Message: Happened: sent were: PATCH object at "41" {"spec":{"n":9007199254740996}}
// Base: alt/plain

//go:build wrong

package both

import (
	"bytes"
	"encoding/json"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func decode(o client.Object) (all map[string]any, err error) {
	data, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&all); err != nil {
		return nil, err
	}
	if metadata, ok := all["metadata"].(map[string]any); ok {
		delete(metadata, "resourceVersion")
		delete(metadata, "generation")
		delete(metadata, "managedFields")
	}
	return all, nil
}

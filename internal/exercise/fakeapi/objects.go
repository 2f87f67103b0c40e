package fakeapi

import "encoding/json"

// Line is one event of a JSON watch stream, with the line feed that the API server ends it with.
func Line(eventType string, object any) string {
	return encode(struct {
		Type   string `json:"type"`
		Object any    `json:"object"`
	}{eventType, object}) + "\n"
}

// ErrorLine is an ERROR event with its Status.
func ErrorLine(code int, reason, message string) string {
	return Line("ERROR", StatusObject(code, reason, message))
}

// BookmarkLine is a BOOKMARK event for ConfigMaps.
func BookmarkLine(resourceVersion string) string {
	return Line("BOOKMARK", map[string]any{
		"kind": "ConfigMap", "apiVersion": "v1",
		"metadata": map[string]any{"resourceVersion": resourceVersion, "creationTimestamp": nil},
	})
}

// StatusObject is the body of a refusal, and the object of an ERROR event.
func StatusObject(code int, reason, message string) map[string]any {
	return map[string]any{
		"kind": "Status", "apiVersion": "v1", "metadata": map[string]any{},
		"status": "Failure", "message": message, "reason": reason, "code": code,
	}
}

// ConfigMap is a ConfigMap with these data, given as key and value in turn.
func ConfigMap(namespace, name, resourceVersion string, data ...string) map[string]any {
	m := map[string]any{}
	for i := 0; i+1 < len(data); i += 2 {
		m[data[i]] = data[i+1]
	}
	return map[string]any{
		"kind": "ConfigMap", "apiVersion": "v1",
		"metadata": map[string]any{
			"namespace": namespace, "name": name, "uid": "uid-" + name, "resourceVersion": resourceVersion,
		},
		"data": m,
	}
}

// List is a ConfigMapList. more is its continue token, "" on the last page.
func List(resourceVersion, more string, items ...map[string]any) map[string]any {
	if items == nil {
		items = []map[string]any{}
	}
	meta := map[string]any{"resourceVersion": resourceVersion}
	if more != "" {
		meta["continue"] = more
	}
	return map[string]any{"kind": "ConfigMapList", "apiVersion": "v1", "metadata": meta, "items": items}
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("fakeapi: " + err.Error()) // a test's own literal
	}
	return string(b)
}

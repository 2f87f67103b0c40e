package apiserver

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
)

// TestRefusals are the answers that a client's programmer meets.
func TestRefusals(t *testing.T) {
	bubble(t, Options{}, storage.Options{}, func(t *testing.T, s *running) {
		s.put("a", "1")
		s.put("a", "2")
		merge := "Content-Type: application/merge-patch+json"
		for _, c := range []struct {
			method, path, body, header string
			code                       int
			reason, message            string
		}{
			{"POST", path, `{"metadata":{"name":"a"}}`, "", 409, "AlreadyExists", `configmaps "a" already exists`},
			{"POST", path, `{"metadata":{"name":"A_"}}`, "", 422, "Invalid",
				`ConfigMap "A_" is invalid: metadata.name`},
			{"POST", path, `{"metadata":{}}`, "", 422, "Invalid", "metadata.name"},
			{"POST", path, `{"metadata":{"name":"b","resourceVersion":"1"}}`, "", 400, "BadRequest",
				"resourceVersion should not be set"},
			{"POST", path, `{"metadata":{"name":"b","namespace":"m"}}`, "", 400, "BadRequest", "namespace"},
			{"POST", path, `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b"}}`, "", 400, "BadRequest", "Pod"},
			{"POST", path, `{`, "", 400, "BadRequest", "the body"},
			{"POST", path, `a: b`, "Content-Type: application/yaml", 415, "UnsupportedMediaType", "application/json"},
			{"GET", path + "/none", "", "", 404, "NotFound", `configmaps "none" not found`},
			{"PUT", path + "/none", `{"metadata":{"name":"none"}}`, "", 404, "NotFound", "not found"},
			{"PUT", path + "/a", `{"metadata":{"name":"b"}}`, "", 400, "BadRequest",
				"does not match the name on the URL"},
			{"PUT", path + "/a", `{"metadata":{"name":"a","resourceVersion":"2"}}`, "", 409, "Conflict",
				"the object has been modified"},
			{"PUT", path + "/a", `{"metadata":{"name":"a","uid":"x"}}`, "", 409, "Conflict",
				"Precondition failed: UID"},
			{"PATCH", path + "/a", `{"metadata":{"resourceVersion":"2"}}`, merge, 409, "Conflict",
				"the object has been modified"},
			{"PATCH", path + "/a", `{"metadata":{"uid":"x"}}`, merge, 422, "Invalid",
				`metadata.uid: Invalid value: "x": field is immutable`},
			{"PATCH", path + "/a", `{}`, "Content-Type: application/json-patch+json", 415,
				"UnsupportedMediaType", "--type=merge"},
			{"PATCH", path + "/a", `{}`, "Content-Type: application/apply-patch+yaml", 415, "UnsupportedMediaType",
				"kubectl create"},
			{"DELETE", path + "/a", `{"preconditions":{"resourceVersion":"2"}}`, "", 409, "Conflict", "precondition"},
			{"DELETE", path + "/none", "", "", 404, "NotFound", "not found"},
			{"GET", path + "?labelSelector=a%3D%3D%3Db", "", "", 400, "BadRequest", "unable to parse requirement"},
			{"GET", path + "?fieldSelector=data.value=1", "", "", 400, "BadRequest", "is not a known field selector"},
			{"GET", path + "?resourceVersion=99", "", "", 504, "Timeout", "Too large resource version: 99, current: 3"},
			{"GET", path + "?resourceVersion=2&resourceVersionMatch=Exact", "", "", 410, "Expired", "too old"},
			{"GET", path + "?resourceVersionMatch=NotOlderThan", "", "", 422, "Invalid",
				"unless resourceVersion is provided"},
			{"GET", path + "?watch=true&sendInitialEvents=true", "", "", 422, "Invalid",
				"requires setting resourceVersionMatch"},
		} {
			var headers []string
			if c.header != "" {
				headers = append(headers, c.header)
			}
			code, answer := s.do(c.method, c.path, c.body, headers...)
			what := fmt.Sprintf("%s %s %s", c.method, c.path, c.body)
			assert.Equal(t, c.code, code, what)
			assert.Equal(t, c.reason, answer["reason"], what)
			assert.Equal(t, "Status", answer["kind"], what)
			assert.Contains(t, answer["message"], c.message, what)
		}
	})
}

// The server gives uid and creationTimestamp; a client that leaves them out, or away, keeps them.
func TestIdentityIsTheServers(t *testing.T) {
	bubble(t, Options{}, storage.Options{}, func(t *testing.T, s *running) {
		_, first := s.do("POST", path, `{"metadata":{"name":"a","uid":"mine","creationTimestamp":null}}`)
		_, second := s.do("PUT", path+"/a", `{"metadata":{"name":"a"},"data":{"value":"1"}}`)
		metadata := func(o map[string]any, field string) any { return o["metadata"].(map[string]any)[field] }
		assert.NotEqual(t, "mine", metadata(first, "uid"))
		for _, field := range []string{"uid", "creationTimestamp"} {
			assert.NotEmpty(t, metadata(first, field))
			assert.Equal(t, metadata(first, field), metadata(second, field))
		}
		_, patched := s.do("PATCH", path+"/a", `{"metadata":{"uid":null,"creationTimestamp":null}}`,
			"Content-Type: application/merge-patch+json")
		for _, field := range []string{"uid", "creationTimestamp"} {
			assert.Equal(t, metadata(first, field), metadata(patched, field))
		}
		_, generated := s.do("POST", path, `{"metadata":{"generateName":"a-"}}`)
		assert.Regexp(t, "^a-.{5}$", metadata(generated, "name"))
	})
}

// RFC 7386's own examples, as far as both sides are objects.
func TestMerge(t *testing.T) {
	type m = map[string]any
	for _, c := range []struct{ target, patch, want m }{
		{m{"a": "b"}, m{"a": "c"}, m{"a": "c"}},
		{m{"a": "b"}, m{"b": "c"}, m{"a": "b", "b": "c"}},
		{m{"a": "b"}, m{"a": nil}, m{}},
		{m{"a": "b", "b": "c"}, m{"a": nil}, m{"b": "c"}},
		{m{"a": []any{"b"}}, m{"a": "c"}, m{"a": "c"}},
		{m{"a": "c"}, m{"a": []any{"b"}}, m{"a": []any{"b"}}},
		{m{"a": m{"b": "c"}}, m{"a": m{"b": "d", "c": nil}}, m{"a": m{"b": "d"}}},
		{m{"a": []any{m{"b": "c"}}}, m{"a": []any{int64(1)}}, m{"a": []any{int64(1)}}},
		{m{"e": nil}, m{"a": int64(1)}, m{"e": nil, "a": int64(1)}},
		{m{}, m{"a": m{"bb": m{"ccc": nil}}}, m{"a": m{"bb": m{}}}},
	} {
		assert.Equal(t, c.want, merge(c.target, c.patch))
	}
}

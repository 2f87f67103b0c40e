package apiserver

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
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

// TestDeleteCollection removes what a list shows, in its order, and nothing else.
func TestDeleteCollection(t *testing.T) {
	bubble(t, Options{}, storage.Options{}, func(t *testing.T, s *running) {
		for _, name := range []string{"c", "a", "b", "kept"} {
			body := `{"metadata":{"name":"` + name + `","labels":{"gone":"yes"}}}`
			if name == "kept" {
				body = `{"metadata":{"name":"kept"}}`
			}
			code, answer := s.do("POST", path, body)
			require.Equal(t, 201, code, answer)
		}
		code, answer := s.do("POST", "/api/v1/namespaces/other/configmaps",
			`{"metadata":{"name":"a","labels":{"gone":"yes"}}}`)
		require.Equal(t, 201, code, answer)
		w := s.watch("&resourceVersion=6")

		for _, refused := range []string{"&limit=1", "&continue=x", "&dryRun=All", "&sendInitialEvents=true",
			"&fieldSelector=data.x=1", "&resourceVersion=99"} {
			code, answer := s.do("DELETE", path+"?labelSelector=gone"+refused, "")
			assert.GreaterOrEqual(t, code, 400, "%s: %v", refused, answer)
		}
		for _, refused := range []string{`{"dryRun":["All"]}`, `{"preconditions":{"uid":"x"}}`, `{`} {
			code, answer := s.do("DELETE", path+"?labelSelector=gone", refused)
			assert.GreaterOrEqual(t, code, 400, "%s: %v", refused, answer)
		}
		code, answer = s.do("DELETE", path+"?labelSelector=gone", "")
		assert.Equal(t, 200, code)
		assert.Equal(t, "ConfigMapList", answer["kind"])
		assert.Len(t, answer["items"], 3, "the answer is what was there")
		assert.Equal(t, "6", answer["metadata"].(map[string]any)["resourceVersion"])
		w.want("DELETED a@7", "DELETED b@8", "DELETED c@9")
		require.NoError(t, w.body.Close())
		_, answer = s.do("GET", "/api/v1/configmaps", "")
		assert.Len(t, answer["items"], 2, "kept, and that of another namespace")

		_, answer = s.do("GET", path+"/kept", "")
		kept := answer["metadata"].(map[string]any)["resourceVersion"]
		one := fmt.Sprintf(`{"preconditions":{"resourceVersion":%q}}`, kept)
		s.put("z", "1")
		code, answer = s.do("DELETE", path, one)
		assert.Equal(t, 409, code)
		assert.Equal(t, "z", answer["details"].(map[string]any)["name"], "it says which one")
		_, answer = s.do("GET", path, "")
		assert.Len(t, answer["items"], 1, "and what had gone by then has gone")
	})
}

// What somebody else has deleted in the meantime is gone, and no error.
func TestTwoDeleteOneCollection(t *testing.T) {
	bubble(t, Options{}, storage.Options{}, func(t *testing.T, s *running) {
		const objects, clients = 300, 3
		for i := range objects {
			_, err := s.store.Create(ConfigMaps.key("n", fmt.Sprint(i)), object{"metadata": object{}})
			require.NoError(t, err)
		}
		var all sync.WaitGroup
		for range clients {
			all.Go(func() {
				response, raw := cluster.Do(t, s.client, "DELETE", "http://server"+path, nil)
				assert.Equal(t, 200, response.StatusCode, "%s", raw)
			})
		}
		all.Wait()
		assert.EqualValues(t, 1+2*objects, s.store.Revision(), "each was deleted once")
	})
}

// A dry run changes nothing on the real server. Here it is refused, wherever it may be asked for.
func TestDryRunIsRefused(t *testing.T) {
	bubble(t, Options{}, storage.Options{}, func(t *testing.T, s *running) {
		s.put("a", "1")
		merge := "Content-Type: application/merge-patch+json"
		for _, c := range []struct{ method, path, body, header string }{
			{"POST", path + "?dryRun=All", `{"metadata":{"name":"b"}}`, ""},
			{"PUT", path + "/a?dryRun=All", `{"metadata":{"name":"a"}}`, ""},
			{"PATCH", path + "/a?dryRun=All", `{"data":null}`, merge},
			{"DELETE", path + "/a?dryRun=All", "", ""},
			{"DELETE", path + "/a", `{"dryRun":["All"]}`, ""},
			{"DELETE", path + "?dryRun=All", "", ""},
			{"DELETE", path, `{"dryRun":["All"]}`, ""},
		} {
			var headers []string
			if c.header != "" {
				headers = append(headers, c.header)
			}
			code, answer := s.do(c.method, c.path, c.body, headers...)
			assert.Equal(t, 400, code, "%s %s %s", c.method, c.path, c.body)
			assert.Contains(t, answer["message"], "no dry run")
		}
		assert.EqualValues(t, 2, s.store.Revision(), "nothing was written")
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

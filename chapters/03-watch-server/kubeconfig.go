package main

import "fmt"

// plainKubeconfig is all that kubectl needs to talk to a server that knows no users.
func plainKubeconfig(server string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: scratch, cluster: {server: %q}}]
contexts: [{name: scratch, context: {cluster: scratch}}]
current-context: scratch
`, server)
}

func main() {}

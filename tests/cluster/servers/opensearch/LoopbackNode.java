import org.codelibs.opensearch.runner.OpenSearchRunner;

/** One OpenSearch node of a cluster on loopback: NAME HOME HTTP_PORT TRANSPORT_PORT SEEDS MANAGERS. Ends with its input. */
public class LoopbackNode {
  public static void main(String[] a) throws Exception {
    OpenSearchRunner runner = new OpenSearchRunner();
    runner.onBuild((n, s) -> {
      s.put("node.name", a[0]);
      s.put("network.host", "127.0.0.1");
      s.put("http.port", a[2]);
      s.put("transport.port", a[3]);
      s.putList("discovery.seed_hosts", a[4].split(","));
      s.putList("cluster.initial_cluster_manager_nodes", a[5].split(","));
      s.put("cluster.routing.allocation.disk.threshold_enabled", false);
    });
    runner.build(OpenSearchRunner.newConfigs().clusterName("loopback").numOfNode(1).basePath(a[1]));
    System.out.println("started " + a[0]);
    while (System.in.read() >= 0) { }
    runner.close();
    System.exit(0);
  }
}

"""The input dependency graph."""

from tests.support.splits import described_parts, split_of


def test_the_input_dependency_graph_is_remarked() -> None:
    """StreamRule's traffic program, with the predicates of Pham, Ali, Mileo 2019."""
    program = """
        very_slow_speed(X) :- average_speed(X,Y), Y < 20.
        many_cars(X)       :- car_number(X,Y), Y > 40.
        traffic_jam(X)     :- very_slow_speed(X), many_cars(X), not traffic_light(X).
        car_fire(X)        :- car_in_smoke(C,high), car_speed(C,0), car_location(C,X).
        give_notification(X) :- traffic_jam(X).
    """
    remarks = [str(remark) for remark in split_of(program).remarks]
    assert "p.lars:4: average_speed/2 meets car_number/2" in remarks
    assert "connected by that: average_speed/2, car_number/2, traffic_light/1" in remarks
    assert "connected by that: car_in_smoke/2, car_location/2, car_speed/2" in remarks
    assert described_parts(program) == [
        "give_notification1 many_cars1 traffic_jam1 very_slow_speed1"
        " from average_speed1 car_number1 traffic_light1",
        "car_fire1 from car_in_smoke car_location2 car_speed",
    ]
